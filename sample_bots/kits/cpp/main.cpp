#include "session.hpp"

#include <iostream>
#include <unistd.h>

int main() {
    try {
        Session session([](const char *bytes, size_t size) {
            std::cout.write(bytes, size).flush(); // or the message stays in the buffer
        });
        char bytes[65536];
        // read returns whatever has arrived; std::cin.read would wait until the buffer is full.
        for (ssize_t size; (size = read(STDIN_FILENO, bytes, sizeof bytes)) > 0;)
            if (!session.receive(bytes, size)) break;
    } catch (const std::exception &error) {
        std::cerr << "the session failed: " << error.what() << '\n';
        return 1;
    }
}
