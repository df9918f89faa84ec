import type { IncomingMessage } from 'node:http'
import { wantedAnswer } from './wanted-answer.ts'

/**
 * Lets two routes share an address: `constraints: { wants: 'page' }` on one of them makes it answer those who prefer a page,
 * `{ wants: 'data' }` those who prefer data. The other, without it, answers everybody else.
 */
export const wantsConstraint = {
  name: 'wants',
  storage<Handler>() {
    const handlers = new Map<string, Handler>()
    return {
      get: (wanted: string) => handlers.get(wanted) ?? null,
      set: (wanted: string, handler: Handler) => void handlers.set(wanted, handler),
    }
  },
  deriveConstraint: ({ headers }: Pick<IncomingMessage, 'headers'>) => wantedAnswer(headers.accept) ?? '',
}
