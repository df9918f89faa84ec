import { schemas } from '#executions-api'

export const {
  executionStates,
  flag,
  freeForm,
  integer,
  maybeInteger,
  maybeNumber,
  maybeText,
  number,
  text,
  texts,
  unpriced,
} = schemas
