/* Words the compiler understands, spelled once. */
#ifndef BASE_MACROS_H
#define BASE_MACROS_H

/* The result must be looked at: ignoring a failure is a bug. */
#define MUST_USE __attribute__((warn_unused_result))

/* Arguments are checked like printf's: fmt is argument f, values start at a. */
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))

/* Compiled anew, and for the constants it is given, at each of its calls. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

#endif
