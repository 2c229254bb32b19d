/* Shell v2 packets, in reads of any size: the pieces must add up. */
#include "adb/services/shell_wire.h"
#include "tests/fuzz/fuzz.h"

/* The output, independent of the pieces. */
struct shell_outcome {
    bool good;
    size_t lengths;
    uint32_t sum;
};

static bool feed(struct shell_wire *wire, const uint8_t *data, size_t size,
                 struct shell_outcome *outcome)
{
    while (size) {
        struct shell_wire_piece piece;
        struct err err;
        size_t used;

        if (!shell_wire_next(wire, data, size, &used, &piece, &err))
            return false;
        fuzz_expect(used > 0 && used <= size);
        fuzz_expect(piece.length <= used);
        fuzz_expect(piece.length || used == size);
        for (size_t i = 0; i < piece.length; i++)
            outcome->sum = outcome->sum * 31 + piece.id * 7 + piece.data[i];
        outcome->lengths += piece.length;
        data += used;
        size -= used;
    }
    return true;
}

static struct shell_outcome parse(const uint8_t *data, size_t size, size_t step)
{
    struct shell_wire wire = {.left = 0};
    struct shell_outcome outcome = {.good = true};

    for (size_t at = 0; at < size && outcome.good; at += step) {
        size_t part = size - at < step ? size - at : step;

        outcome.good = feed(&wire, data + at, part, &outcome);
    }
    return outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t step = size ? 1 + data[0] % 16 : 1;
    struct shell_outcome whole;
    struct shell_outcome cut;

    if (!size)
        return 0;
    whole = parse(data + 1, size - 1, size);
    cut = parse(data + 1, size - 1, step);
    fuzz_expect(whole.good == cut.good);
    fuzz_expect(whole.lengths == cut.lengths && whole.sum == cut.sum);
    return 0;
}
