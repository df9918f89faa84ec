import type { HumanTask } from '#engine'
import type { Encryption } from '#kernel/encryption'
import { Failure } from '#kernel/errors'

/** Links with which the owner of an e-mail address answers a human task without an account. */
export interface AnswerLinks {
  /** Whether links can be made: the public URL and a secret are configured. */
  areAvailable(): boolean
  /** Undefined: the public URL is not configured, or no secret is. */
  linkOf(task: Pick<HumanTask, 'id' | 'expiresAt'>, address: string): Promise<string | undefined>
  /** Undefined: the token is invalid or has expired. */
  read(token: string): Promise<AnswerLink | undefined>
}

/** What a link allows: one address answers one task. */
interface AnswerLink {
  readonly taskId: string
  readonly address: string
}

interface AnswerLinksOptions {
  readonly encryption: Pick<Encryption, 'canEncrypt' | 'encrypt' | 'decrypt'>
  readonly publicUrl: string | undefined
  readonly now?: () => number
}

interface TokenContent {
  readonly wait: string
  readonly address: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

const associatedData = { purpose: 'answer-link', place: 'human-task' } as const

/** A link is valid until its task is closed, and no longer than this. */
const maxValidMs = 30 * 86_400_000

/** Encrypted texts of a task and an address are far shorter. */
const maxTokenLength = 1000

/** Creates and reads links. The token is authenticated encryption of task and address, so it needs no table. */
export function createAnswerLinks({
  encryption,
  publicUrl,
  now = () => Date.now(),
}: AnswerLinksOptions): AnswerLinks {
  const base = publicUrl?.replace(/\/$/, '')
  return {
    areAvailable: () => base !== undefined && encryption.canEncrypt(),

    async linkOf({ id, expiresAt }, address) {
      if (base === undefined || !encryption.canEncrypt()) return undefined
      const expires = Math.min(expiresAt?.getTime() ?? Number.POSITIVE_INFINITY, now() + maxValidMs)
      const content: TokenContent = { wait: id, address, expires }
      const token = await encryption.encrypt(JSON.stringify(content), associatedData)
      return `${base}/ai-workflows/api/answer/${token}`
    },

    async read(token) {
      if (token.length > maxTokenLength) return undefined
      try {
        const { wait, address, expires } = JSON.parse(
          await encryption.decrypt(token, associatedData),
        ) as TokenContent
        return expires > now() ? { taskId: wait, address } : undefined
      } catch (error) {
        if (error instanceof Failure) return undefined
        throw error
      }
    },
  }
}
