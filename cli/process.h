#pragma once

namespace privpfc::cli {

// Before any private byte is read: no core dumps, and new files are for the owner's eyes alone.
void harden_process();

}  // namespace privpfc::cli
