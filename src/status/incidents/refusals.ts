import { kernelFailure } from '#kernel/errors'

export function wrongField(path: string, message: string) {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code: 'value' }],
    details: { part: 'body' },
  })
}

export function noSuchIncident(id: string) {
  return kernelFailure('not_found', { message: `There is no incident ${id}.` })
}

export function isClosed(message: string) {
  return kernelFailure('conflict', { message })
}

export function tooManyOpen(most: number) {
  return kernelFailure('conflict', {
    message: `There can be ${most} open incidents. Close one that is over.`,
  })
}

export function tooManyUpdates(most: number) {
  return kernelFailure('conflict', {
    message: `An incident can have ${most} updates. Open another one.`,
  })
}
