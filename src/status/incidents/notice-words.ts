import type { News } from './announce.ts'
import { publicNameOf } from './service-words.ts'
import { isServiceName } from './services-of.ts'

/** A notice in words: a line, and what there is to say besides. */
export function describeNotice(
  { what, incident, message }: News,
  link: string | undefined,
): { readonly subject: string; readonly text: string } {
  const { kind, title, services, startsAt, endsAt } = incident
  const names = services.filter(isServiceName).map(publicNameOf)
  const lines = [
    message,
    names.length === 0 ? null : `Services: ${names.join(', ')}`,
    kind === 'maintenance' && what === 'opened' && startsAt !== null && endsAt !== null
      ? `From ${showTime(startsAt)} to ${showTime(endsAt)}`
      : null,
    link ?? null,
  ]
  return {
    subject: `${label(kind, what)}: ${title}`,
    text: lines.filter((line) => line !== null).join('\n'),
  }
}

function label(kind: News['incident']['kind'], what: News['what']): string {
  if (kind === 'maintenance') return what === 'opened' ? 'Maintenance planned' : 'Maintenance over'
  return what === 'opened' ? 'Incident' : 'Resolved'
}

function showTime(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
