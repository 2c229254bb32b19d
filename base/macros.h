/* Compiler attributes and small macros. */
#ifndef BASE_MACROS_H
#define BASE_MACROS_H

/* The result must be checked: ignoring a failure is a bug. */
#define MUST_USE __attribute__((warn_unused_result))

/* printf-like arguments: fmt is argument f, values start at argument a. */
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))

/* Inlined into each call, so that constant arguments are propagated. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

#endif
