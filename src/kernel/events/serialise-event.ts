import { storableJson } from '#kernel/database'
import { eventFailure } from './errors.ts'
import type { EventData, NewEvent } from './event.ts'

/** The most a single event may carry, as UTF-8 JSON. */
export const maxDataBytes = 256 * 1024

const typePattern = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$/
const maxTypeLength = 100
const namePattern = /^[^\p{Cc}\p{Cs}]{1,200}$/u

/**
 * Checks an event and writes it as the JSON object that the append statement reads. Whatever would make PostgreSQL
 * refuse the row is caught here, because one refused row would take all others of its flush with it.
 */
export function serialiseEvent({ type, subject, account, data = {} }: NewEvent): string {
  if (type.length > maxTypeLength || !typePattern.test(type)) {
    throw eventFailure('invalid_event', { message: `${JSON.stringify(type)} is not an event type.` })
  }
  checkName('subject', subject)
  checkName('account', account)
  const text = serialiseData(type, data)
  const size = Buffer.byteLength(text)
  if (size > maxDataBytes) {
    throw eventFailure('event_too_large', {
      message: `The data of ${type} has ${size} bytes; ${maxDataBytes} are allowed.`,
      details: { size, limit: maxDataBytes },
    })
  }
  const head = JSON.stringify({ type, subject: subject ?? null, account: account ?? null })
  return `${head.slice(0, -1)},"data":${text}}`
}

function checkName(field: string, value: string | null | undefined): void {
  if (value === undefined || value === null || namePattern.test(value)) return
  throw eventFailure('invalid_event', {
    message: `The ${field} of an event is 1 to 200 printable characters.`,
  })
}

function serialiseData(type: string, data: EventData): string {
  try {
    return storableJson(data)
  } catch (error) {
    throw eventFailure('invalid_event', {
      message: `The data of ${type} cannot be written as JSON.`,
      cause: error,
    })
  }
}
