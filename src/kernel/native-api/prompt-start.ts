import { createHash } from 'node:crypto'

const maxSystemLength = 4096
const maxMessageLength = 512

/** The start of a prompt: its first system message and its first user message. */
interface PromptStart {
  readonly model: string
  readonly system: string | undefined
  readonly user: string | undefined
}

/**
 * A hash of the start of a prompt: up to 4,096 characters of the system message and 512 of the first user message. Requests with the same
 * hash share work on a node that still has the start in memory.
 */
export function hashPromptStart({ model, system, user }: PromptStart): string {
  const start = [model, system?.slice(0, maxSystemLength), user?.slice(0, maxMessageLength)]
  return createHash('sha256').update(start.join('\0')).digest('base64url')
}
