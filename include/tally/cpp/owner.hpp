/*
 * tally/cpp/owner.hpp: the one hold that an object of C++ has on one of C. A part of
 * tally/tally.hpp. Makes no object.
 */
#ifndef TALLY_CPP_OWNER_HPP
#define TALLY_CPP_OWNER_HPP

#include <tally/calls/create.h>
#include <tally/calls/recording.h>
#include <tally/calls/runtimes.h>
#include <tally/calls/scratch.h>

#include <utility>

namespace tally {

namespace detail {

inline void drop(tally_runtime *held) noexcept {
    tally_runtime_release(held);
}
inline void drop(tally_op *held) noexcept {
    tally_op_release(held);
}
inline void drop(tally_scratch *held) noexcept {
    tally_scratch_release(held);
}
inline void drop(tally_recorded *held) noexcept {
    tally_recorded_release(held);
}

/* The one hold on an object of Tally's, or none. */
template <class T> class owner {
  public:
    owner(owner &&other) noexcept : held_(other.release()) {}
    owner &operator=(owner &&other) noexcept {
        reset(other.release());
        return *this;
    }
    owner(const owner &) = delete;
    owner &operator=(const owner &) = delete;

    /* The object, which stays this one's; NULL if there is none. */
    T *get() const noexcept {
        return held_;
    }
    /* The object, which is the caller's from now on. */
    [[nodiscard]] T *release() noexcept {
        return std::exchange(held_, nullptr);
    }
    /* Release what is held, and take over another object. */
    void reset(T *taken = nullptr) noexcept {
        drop(std::exchange(held_, taken));
    }
    explicit operator bool() const noexcept {
        return held_ != nullptr;
    }

  protected:
    owner() noexcept = default;
    explicit owner(T *taken) noexcept : held_(taken) {}
    ~owner() {
        drop(held_);
    }

  private:
    T *held_ = nullptr;
};

} // namespace detail

} // namespace tally

#endif
