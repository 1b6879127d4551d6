/*
 * tally/cpp/runtime.hpp: runtimes, and what they are made of. A part of tally/tally.hpp. Knows no
 * operator.
 */
#ifndef TALLY_CPP_RUNTIME_HPP
#define TALLY_CPP_RUNTIME_HPP

#include <tally/calls/runtimes.h>
#include <tally/cpp/owner.hpp>
#include <tally/cpp/questions.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace tally {

/* Which kernels a runtime is to take, for tests and measurements: unstable. */
struct overrides : tally_overrides {
    overrides() noexcept : tally_overrides(detail::sized<tally_overrides>()) {}
    overrides(const tally_overrides &other) noexcept : tally_overrides(other) {}
};

/* Where the host memory of a runtime comes from. */
struct allocator : tally_allocator {
    allocator() noexcept : tally_allocator(detail::sized<tally_allocator>()) {}
    allocator(const tally_allocator &other) noexcept : tally_allocator(other) {}
};

/*
 * A tally_config with all defaults and its size set; the members are there to be changed. What
 * cache_dir, overrides and allocator point to is read while the runtime is made.
 */
struct config : tally_config {
    config() noexcept : tally_config(detail::sized<tally_config>()) {}
    config(const tally_config &other) noexcept : tally_config(other) {}
    explicit config(const handle<cl_context> &in, const handle<cl_device_id> &on = nullptr) noexcept
        : config() {
        context = in.get();
        device = on.get();
    }

    /*
     * Hand the log's texts to call(tally_log_level, const char *). It is not copied: it must live
     * until the runtime, its operators and scratches are released. It must not throw, which would
     * end the program.
     */
    template <class F> config &log_to(F &call) noexcept {
        static_assert(std::is_object_v<F> &&
                          std::is_invocable_v<F &, tally_log_level, const char *>,
                      "an object that is called with a level and a text");
        log = &log_of<F>;
        user = const_cast<void *>(static_cast<const volatile void *>(std::addressof(call)));
        return *this;
    }

  private:
    template <class F>
    static void log_of(void *called, tally_log_level level, const char *said) noexcept {
        (*static_cast<F *>(called))(level, said);
    }
};

/* A context and device with their compiled kernels. Operators and scratches keep it alive. */
class runtime : public detail::owner<tally_runtime> {
  public:
    /* None: calls on it fail as those with NULL do. */
    runtime() noexcept = default;
    /* Take over a runtime from C. */
    explicit runtime(tally_runtime *taken) noexcept : owner(taken) {}

    static result<runtime> try_make(const tally_config &with) noexcept {
        tally_runtime *made = nullptr;
        tally_error why{};
        const tally_status code = tally_runtime_create(&with, &made, &why);
        return detail::outcome(code, why, runtime(made));
    }

    /* A second owner of the same runtime. */
    runtime share() const noexcept {
        tally_runtime_retain(get());
        return runtime(get());
    }

    /* The context and the device that it was made of; it holds the context. */
    struct handles {
        cl_context context = nullptr;
        cl_device_id device = nullptr;
    };
    result<handles> try_device() const noexcept {
        handles of;
        tally_error why{};
        const tally_status code = tally_runtime_device(get(), &of.context, &of.device, &why);
        return detail::outcome(code, why, of);
    }

    result<tally_stats> try_stats() const noexcept {
        tally_stats all = detail::sized<tally_stats>();
        tally_error why{};
        const tally_status code = tally_runtime_stats(get(), &all, &why);
        return detail::outcome(code, why, all);
    }

    /* The first call runs the probe and blocks meanwhile. reasons lives as long as the runtime. */
    result<tally_numerics> try_numerics() const noexcept {
        tally_numerics verdict = detail::sized<tally_numerics>();
        tally_error why{};
        const tally_status code = tally_runtime_numerics(get(), &verdict, &why);
        return detail::outcome(code, why, verdict);
    }

    /* The first call may run a trial and block meanwhile. reason lives as long as the runtime. */
    result<tally_scans> try_scans() const noexcept {
        tally_scans verdict = detail::sized<tally_scans>();
        tally_error why{};
        const tally_status code = tally_runtime_scans(get(), &verdict, &why);
        return detail::outcome(code, why, verdict);
    }

    /* Whether operators can be recorded, and updated. Reasons live as long as the runtime. */
    result<tally_recording> try_recording() const noexcept {
        tally_recording verdict = detail::sized<tally_recording>();
        tally_error why{};
        const tally_status code = tally_runtime_recording(get(), &verdict, &why);
        return detail::outcome(code, why, verdict);
    }

    /* For try_check. */
    result<device_limits> try_limits() const noexcept {
        device_limits limits;
        tally_error why{};
        const tally_status code = tally_runtime_limits(get(), &limits, &why);
        return detail::outcome(code, why, limits);
    }

    /* What an operator will need at most, before its kernels are there. */
    result<tally_estimate> try_estimate(const tally_desc &coming) const noexcept {
        tally_estimate needs = detail::sized<tally_estimate>();
        tally_error why{};
        const tally_status code = tally_runtime_estimate(get(), &coming, &needs, &why);
        return detail::outcome(code, why, needs);
    }

    /* The plan that an operator would get here, before its kernels are there: unstable. */
    result<std::string> try_explain(const tally_desc &coming, bool source = false) const {
        return detail::text_of([&](detail::writer write, void *user, tally_error *why) {
            return tally_runtime_explain(get(), &coming, source, write, user, why);
        });
    }

    /*
     * Get the programs of these operators ready. proceed(done) is called after each; the call stops
     * where it returns false, and where it throws, and then throws that.
     */
    result<void> try_warm_up(const descs &coming) const noexcept {
        tally_error why{};
        const tally_status code =
            tally_warm_up(get(), coming.data(), coming.size(), nullptr, nullptr, &why);
        return detail::outcome(code, why);
    }
    template <class F> result<void> try_warm_up(const descs &coming, F &&proceed) const {
        detail::callback<std::remove_reference_t<F>> call(proceed);
        tally_error why{};
        const tally_status code = tally_warm_up(
            get(), coming.data(), coming.size(),
            [](void *user, std::size_t done) {
                return detail::callback<std::remove_reference_t<F>>::run(user, done);
            },
            call.user(), &why);
        call.rethrow();
        return detail::outcome(code, why);
    }

#if TALLY_HPP_THROWS
    explicit runtime(const tally_config &with) : runtime(detail::take(try_make(with))) {}

    tally_stats stats() const {
        return detail::take(try_stats());
    }
    tally_numerics numerics() const {
        return detail::take(try_numerics());
    }
    tally_scans scans() const {
        return detail::take(try_scans());
    }
    tally_recording recording() const {
        return detail::take(try_recording());
    }
    device_limits limits() const {
        return detail::take(try_limits());
    }
    tally_estimate estimate(const tally_desc &coming) const {
        return detail::take(try_estimate(coming));
    }
    std::string explain(const tally_desc &coming, bool source = false) const {
        return detail::take(try_explain(coming, source));
    }
    void warm_up(const descs &coming) const {
        detail::take(try_warm_up(coming));
    }
    template <class F> void warm_up(const descs &coming, F &&proceed) const {
        detail::take(try_warm_up(coming, std::forward<F>(proceed)));
    }
#endif
};

} // namespace tally

#endif
