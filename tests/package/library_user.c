#include <proctor-adb.h>
#include <stdio.h>

int main(int count, char **arguments)
{
    struct padb_error error;
    struct padb_output out = {0};
    struct padb *adb = padb_new(&error);
    const char *serial = count > 1 ? arguments[1] : NULL;
    struct padb_device *phone =
        adb ? padb_open(adb, serial, 5000, &error) : NULL;

    if (!phone || !padb_shell(phone, "echo outside", 5000, &out, &error))
        return fprintf(stderr, "%s\n", error.text), 1;
    fputs(out.text, stdout);
    padb_output_free(&out);
    padb_close(phone);
    padb_free(adb);
    return 0;
}
