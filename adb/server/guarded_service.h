/*
 * Services that affect a phone's adbd, and are answered without the phone
 * unless the policy allows them.
 */
#ifndef ADB_SERVER_GUARDED_SERVICE_H
#define ADB_SERVER_GUARDED_SERVICE_H

#include "adb/server/adb_server.h"

/*
 * Answer a service that the policy does not allow, as adbd words it. False: the
 * phone is to be asked. *stream is NULL when the service is refused; the caller
 * closes it otherwise.
 */
bool guarded_service_answer(const struct adb_server_policy *policy,
                            const char *service, struct stream **stream);

#endif
