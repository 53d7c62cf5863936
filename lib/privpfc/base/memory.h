#pragma once

namespace privpfc {

// Hands memory that was freed back to the system, which the allocator else keeps for later. Worth a
// call after something large is gone and before something else needs its room.
void give_back_memory();

}  // namespace privpfc
