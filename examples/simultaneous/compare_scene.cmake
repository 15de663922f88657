# Fails unless PROGRAM --scene WRITTEN writes the file EXPECTED.
execute_process(COMMAND ${PROGRAM} --scene ${WRITTEN} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${PROGRAM} failed")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${WRITTEN} ${EXPECTED}
  RESULT_VARIABLE different)
if(different)
  message(FATAL_ERROR "${EXPECTED} is not what the example writes: run ${PROGRAM} --scene on it")
endif()
