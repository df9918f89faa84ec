import type { Sealing, Seat } from '#kernel/sealing'

/** An answer as it is stored. */
export interface StoredBody {
  readonly body: Buffer
  readonly sealed: boolean
}

/** Closes answers before they are stored, because some show a secret. */
export interface AnswerSeal {
  close(id: Buffer, body: Buffer): Promise<StoredBody>
  open(id: Buffer, stored: StoredBody): Promise<Buffer>
}

/** Where there is nothing to seal with, no secret is stored anywhere, so answers cannot show one either. */
export function createAnswerSeal(
  sealing: Pick<Sealing, 'canSeal' | 'seal' | 'open'> | undefined,
): AnswerSeal {
  return {
    async close(id, body) {
      if (sealing?.canSeal() !== true) return { body, sealed: false }
      return { body: Buffer.from(await sealing.seal(body.toString(), seatOf(id))), sealed: true }
    },
    async open(id, { body, sealed }) {
      if (!sealed) return body
      if (sealing === undefined) throw new Error('a sealed answer needs what it was sealed with')
      return Buffer.from(await sealing.open(body.toString(), seatOf(id)))
    },
  }
}

/** Its place is the row it stands in: an answer cannot be moved to another key. */
function seatOf(id: Buffer): Seat {
  return { purpose: 'idempotency-answer', place: id.toString('hex') }
}
