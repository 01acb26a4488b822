// The program's allocator is jemalloc (docs/adr/0026-allocator.md), which reads this when it
// starts.

extern "C" {
// What was freed goes back to the system after ten seconds, by a thread of jemalloc's own.
extern const char* malloc_conf;
const char* malloc_conf = "background_thread:true";
}
