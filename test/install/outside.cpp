// A frictionless bounce, from C++.
#include <carom/carom.h>

#include <array>
#include <cmath>
#include <iostream>

int main() {
    const std::array<double, 9> W = {3.5, 0, 0, 0, 3.5, 0, 0, 0, 1};
    const std::array<double, 3> v = {1, 0, -2};
    std::array<double, 3> after{};
    CaromContact contact = carom_contact_default();
    contact.e = 0.5;
    CaromResult result{};
    result.velocity = after.data();

    CaromStatus status =
        carom_rigid_solve(W.data(), v.data(), &contact, CAROM_LAW_ENERGETIC, &result);
    std::cout << "carom " << carom_version() << ": " << carom_status_string(status)
              << ", leaves with (" << after[0] << ", " << after[2] << ")\n";
    bool right = std::abs(after[0] - 1) < 1e-12 && std::abs(after[2] - 1) < 1e-12;
    return status == CAROM_OK && right ? 0 : 1;
}
