/* The table of contents of an archive: found and walked within its bytes. */
#include "adb/apk.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct apk_directory directory;
    struct err err;

    if (size > APK_TAIL_MAX ||
        !apk_find_directory(data, size, size, &directory, &err))
        return 0;
    fuzz_expect(directory.offset + directory.size <= size);
    apk_has_manifest(data + directory.offset, directory.size);
    return 0;
}
