export {
  defineFailures,
  Failure,
  type FailureOptions,
  type KernelFailureCode,
  kernelFailure,
  kernelFailureTable,
  type Problem,
  UserError,
} from './failure.ts'
