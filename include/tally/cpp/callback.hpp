/*
 * tally/cpp/callback.hpp: functions of the caller's that C calls, and texts that it hands over. A
 * part of tally/tally.hpp. Knows no call.
 */
#ifndef TALLY_CPP_CALLBACK_HPP
#define TALLY_CPP_CALLBACK_HPP

#include <tally/cpp/result.hpp>

#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace tally {

namespace detail {

/*
 * A function that C calls with a void *. Exceptions don't pass through C: they wait here. A program
 * may have files compiled with exceptions and without, whose callbacks must not be taken for one.
 */
template <class F, bool Throws = TALLY_HPP_THROWS> class callback {
  public:
    explicit callback(F &call) noexcept : call_(std::addressof(call)) {}

    void *user() noexcept {
        return this;
    }

    /* What the function returned, true if that is nothing; false from its first exception on. */
    template <class... Args> static bool run(void *user, Args... args) noexcept {
        callback &self = *static_cast<callback *>(user);
#if TALLY_HPP_THROWS
        if (self.thrown_)
            return false;
        try {
            return self.call(args...);
        } catch (...) {
            self.thrown_ = std::current_exception();
            return false;
        }
#else
        return self.call(args...);
#endif
    }

    void rethrow() const {
#if TALLY_HPP_THROWS
        if (thrown_)
            std::rethrow_exception(thrown_);
#endif
    }

  private:
    template <class... Args> bool call(Args &...args) {
        if constexpr (std::is_void_v<std::invoke_result_t<F &, Args &...>>) {
            (*call_)(args...);
            return true;
        } else {
            return static_cast<bool>((*call_)(args...));
        }
    }

    F *call_;
#if TALLY_HPP_THROWS
    std::exception_ptr thrown_;
#endif
};

using writer = void (*)(void *user, const char *said);

/* The text that a call of C hands to a writer. ask(writer, user, error) makes the call. */
template <class Ask> result<std::string> text_of(Ask &&ask) {
    std::string all;
    auto keep = [&all](const char *said) { all = said; };
    callback<decltype(keep)> call(keep);
    tally_error why{};
    const writer write = [](void *user, const char *said) {
        static_cast<void>(callback<decltype(keep)>::run(user, said));
    };
    const tally_status code = ask(write, call.user(), &why);
    call.rethrow();
    return outcome(code, why, std::move(all));
}

} // namespace detail

} // namespace tally

#endif
