/* test and [: questions about texts, numbers and files. */
#ifndef PHONE_SH_TEST_H
#define PHONE_SH_TEST_H

#include "tools/phone/command.h"

/* 0: yes, 1: no, 2: that makes no sense. */
int sh_test(struct call *call);

#endif
