import { createElement, Fragment } from 'react'
import type { PlatformEvent } from '../../api/responses.ts'
import { AddressLink } from '../../parts/AddressLink.tsx'
import { Status } from '../../parts/Status.tsx'
import { AccountName } from '../usage/AccountName.tsx'
import styles from './EventsPage.module.css'
import { describeEvent } from './event-words.ts'
import type { SentencePart } from './sentence-parts.ts'

const toneWords = { bad: 'Error', warn: 'Warning' } as const

/** An event in words, with links to what it is about. */
export function EventSentence({ event }: { event: PlatformEvent }) {
  const { tone, parts } = describeEvent(event)
  return (
    <span className={styles['sentence']}>
      {tone !== undefined ? (
        <>
          <Status tone={tone} word={toneWords[tone]} />{' '}
        </>
      ) : null}
      {createElement(Fragment, null, ...parts.map(writePart))}
    </span>
  )
}

function writePart(part: SentencePart) {
  if (typeof part === 'string') return part
  if ('account' in part) return <AccountName id={part.account} />
  const { name, path, search } = part
  return (
    <AddressLink path={path} {...(search === undefined ? {} : { search })}>
      {name}
    </AddressLink>
  )
}
