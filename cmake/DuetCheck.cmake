# duet_add_check(TARGET [OPTIONS option...] [NAME name])
#
# Adds a test to CTest that checks the CUDA and OpenCL sources of a target with `duet check`,
# with the target's include folders and macros. The test passes if everything is proved (or
# accepted), and fails if something is refuted, unproven or cannot be read.
#
#   list(APPEND CMAKE_MODULE_PATH /path/to/duet/cmake)
#   include(DuetCheck)
#   enable_testing()
#   add_library(kernels kernels.cu)
#   duet_add_check(kernels OPTIONS --timeout=60)
#
# The program is looked for on the path; -DDUET_PROGRAM=FILE names another.
# Sources that a target gets for CUDA alone need no CUDA compiler for the check: a target of
# kind INTERFACE or OBJECT, or a custom target with SOURCES, will do.

include_guard(GLOBAL)

find_program(DUET_PROGRAM duet DOC "The duet program")

function(duet_add_check target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME" "OPTIONS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "duet_add_check: unknown arguments ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT TARGET ${target})
        message(FATAL_ERROR "duet_add_check: there is no target ${target}")
    endif()
    if(NOT DUET_PROGRAM)
        message(FATAL_ERROR "duet_add_check: duet was not found; set DUET_PROGRAM")
    endif()
    if(NOT arg_NAME)
        set(arg_NAME "duet.${target}")
    endif()
    get_target_property(folder ${target} SOURCE_DIR)
    get_target_property(all ${target} SOURCES)
    set(sources)
    foreach(source IN LISTS all)
        if(source MATCHES "\\.(cu|cl)$")
            get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${folder}")
            list(APPEND sources "${source}")
        endif()
    endforeach()
    if(NOT sources)
        message(FATAL_ERROR "duet_add_check: ${target} has no sources of CUDA or OpenCL")
    endif()
    # Properties that are known only when the build is made: expressions, empty if not set.
    set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
    set(defines "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
    add_test(
        NAME ${arg_NAME}
        COMMAND "${DUET_PROGRAM}" check ${sources}
            "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
            "$<$<BOOL:${defines}>:-D$<JOIN:${defines},;-D>>"
            ${arg_OPTIONS}
        COMMAND_EXPAND_LISTS)
endfunction()
