// The runtime for host programs that are really run: it launches nothing, and prints a
// line for each allocation, release and launch.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <string>
#include <vector>

static unsigned long long next_address = 0x100000000ull;
// Made at first use and never destroyed: programs launch before and after `main` too.
static auto &live() {
  static auto &map = *new std::map<unsigned long long, size_t>;
  return map;
}
static auto &released() {
  static auto &map = *new std::multimap<size_t, unsigned long long>;
  return map;
}
static auto &arguments() {
  static auto &map = *new std::map<size_t, std::string>;
  return map;
}
// What allocations hold: one byte all over, put there by a stream, or something else.
struct Contents {
  int byte;
  void *stream;
};
static auto &contents() {
  static auto &map = *new std::map<unsigned long long, Contents>;
  return map;
}
static unsigned sizes[6];
static size_t shared_bytes;
static void *launch_stream;

static std::string hex(const void *data, size_t size) {
  std::string text;
  char two[3];
  for (size_t i = size; i-- > 0;) {
    snprintf(two, sizeof two, "%02x", ((const unsigned char *)data)[i]);
    text += two;
  }
  return text;
}

// The kernel may write all that it is given the address of.
static void forget_contents() {
  for (auto &argument : arguments())
    for (size_t at = 0; at + 16 <= argument.second.size(); at += 16) {
      auto word = strtoull(argument.second.substr(at, 16).c_str(), nullptr, 16);
      auto it = live().upper_bound(word);
      // Other numbers are no addresses.
      if (it == live().begin() || word > (--it)->first + it->second) continue;
      contents()[it->first].byte = -1;
    }
}

static void print_launch(const void *function) {
  for (auto &one : live()) {
    auto &held = contents()[one.first];
    printf("C %llx %d\n", one.first, held.stream == launch_stream ? held.byte : -1);
  }
  Dl_info info;
  const char *name = dladdr(function, &info) && info.dli_sname ? info.dli_sname : "?";
  printf("L %s %u %u %u %u %u %u %zu", name, sizes[0], sizes[1], sizes[2], sizes[3], sizes[4],
         sizes[5], shared_bytes);
  for (auto &argument : arguments()) printf(" %s", argument.second.c_str());
  printf("\n");
  fflush(stdout);
  forget_contents();
  arguments().clear();
}

extern "C" {
// A freed address comes again for the next allocation of the same size.
void *__duet_malloc(size_t size) noexcept {
  auto again = released().find(size);
  unsigned long long address = next_address;
  if (again != released().end()) {
    address = again->second;
    released().erase(again);
  } else {
    size_t room = size < ((size_t)1 << 40) ? size : (size_t)1 << 40;
    next_address += (room + 511) / 256 * 256;
  }
  live()[address] = size;
  contents()[address] = {-1, nullptr};
  printf("M %llx %zx\n", address, size);
  return (void *)address;
}
void __duet_free(const void *p) noexcept {
  auto it = live().find((unsigned long long)p);
  if (it == live().end()) return;
  released().emplace(it->second, it->first);
  live().erase(it);
}
int __duet_status(void) noexcept { return 0; }
size_t __duet_pitch(size_t width) noexcept { return (width + 511) / 512 * 512; }
void __duet_fill(void *p, size_t n) noexcept { memset(p, 0x11, n); }
void __duet_memset(void *p, int value, size_t n, void *stream) noexcept {
  auto it = live().upper_bound((unsigned long long)p);
  if (it == live().begin()) return;
  --it;
  bool all = it->first == (unsigned long long)p && it->second == n;
  // More than there is sets nothing; so does nothing at all.
  if (n == 0 || (unsigned long long)p + n > it->first + it->second) return;
  contents()[it->first] = {all ? value & 0xff : -1, stream};
}
void __duet_symbol(const void *, const void *, size_t, size_t) noexcept {}
int __duet_configure(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f,
                     size_t s, void *stream) noexcept {
  launch_stream = stream;
  unsigned all[6] = {a, b, c, d, e, f};
  memcpy(sizes, all, sizeof all);
  shared_bytes = s;
  return 0;
}
int cudaSetupArgument(const void *p, size_t size, size_t offset) {
  arguments()[offset] = hex(p, size);
  return 0;
}
int cudaLaunch(const void *function) {
  print_launch(function);
  return 0;
}
int __duet_launch(const void *function, unsigned a, unsigned b, unsigned c, unsigned d,
                  unsigned e, unsigned f, void **args, size_t s, void *stream) noexcept {
  __duet_configure(a, b, c, d, e, f, s, stream);
  // How wide each argument is the test knows: "8,4,8".
  const char *widths = getenv("DUET_ARGUMENT_BYTES");
  for (size_t i = 0; widths && *widths; ++i) {
    size_t width = strtoul(widths, (char **)&widths, 10);
    arguments()[i] = hex(args[i], width);
    if (*widths == ',') ++widths;
  }
  print_launch(function);
  return 0;
}
}
