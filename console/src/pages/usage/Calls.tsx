import '../../theme/mantine-form.css'
import { Button, NativeSelect } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useStandingFailure } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Section } from '../../parts/Section.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import styles from './Calls.module.css'
import { CallTable } from './CallTable.tsx'
import { outcomeChoices, readOutcome } from './call-words.ts'
import type { CallWish } from './change-search.ts'
import type { Call } from './usage-bodies.ts'
import { type CallFilter, callsQuery } from './usage-queries.ts'

interface CallsProps {
  readonly filter: CallFilter
  /** Names to choose from. */
  readonly models: readonly string[]
  readonly openId: string | undefined
  readonly onFilter: (filter: CallWish) => void
  readonly onOpen: (call: Call) => void
}

/** The latest calls of the days, one by one. */
export function Calls({ filter, models, openId, onFilter, onOpen }: CallsProps) {
  const { model, outcome, account } = filter
  const log = useInfiniteQuery(callsQuery(useApi(), filter))
  const failure = useStandingFailure(log)
  const calls = log.data?.pages.flatMap((page) => page.data)
  const known = model === undefined ? models : [...new Set([...models, model])]
  return (
    <Section
      title="Latest calls"
      aside={
        <>
          <NativeSelect
            data-filter
            size="xs"
            aria-label="Model of the calls"
            data={[
              { value: '', label: 'Every model' },
              ...known.map((name) => ({ value: name, label: name })),
            ]}
            value={model ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onFilter({ model: value === '' ? undefined : value, outcome })
            }
          />
          <NativeSelect
            size="xs"
            aria-label="How the calls ended"
            data={[{ value: '', label: 'Every outcome' }, ...outcomeChoices]}
            value={outcome ?? ''}
            onChange={({ currentTarget: { value } }) => onFilter({ model, outcome: readOutcome(value) })}
          />
        </>
      }
    >
      {calls === undefined && failure !== null ? (
        <FailureNotice
          what="The calls could not be read."
          error={failure}
          onRetry={() => void log.refetch()}
        />
      ) : (
        <>
          <CallTable
            calls={calls}
            openId={openId}
            ofAll={account === 'all'}
            isFiltered={model !== undefined || outcome !== undefined}
            onOpen={onOpen}
            onClear={() => onFilter({ model: undefined, outcome: undefined })}
          />
          {calls === undefined || calls.length === 0 ? null : <EndOfCalls log={log} calls={calls} />}
        </>
      )}
    </Section>
  )
}

interface EndOfCallsProps {
  readonly log: Pick<
    ReturnType<typeof useInfiniteQuery>,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >
  readonly calls: readonly Call[]
}

/** The way to older calls, as long as there are some. */
function EndOfCalls({ log, calls }: EndOfCallsProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = log
  const [askedAt, setAskedAt] = useState<number>()
  const firstOlder = askedAt === undefined ? undefined : calls[askedAt]?.id
  useEffect(() => {
    // The button has moved a page further down; whoever pressed it reads on here.
    if (firstOlder !== undefined) findRow(firstOlder)?.focus({ preventScroll: true })
  }, [firstOlder])
  const showOlder = () => {
    if (isFetchingNextPage) return
    setAskedAt(calls.length)
    void fetchNextPage()
  }
  if (isFetchNextPageError && error !== null) {
    return <FailureNotice what="The older calls could not be read." error={error} onRetry={showOlder} />
  }
  if (!hasNextPage) return null
  return (
    <div className={styles['end']}>
      <Button size="compact-sm" variant="default" onClick={showOlder}>
        {isFetchingNextPage ? 'Reading older calls…' : 'Show older calls'}
      </Button>
    </div>
  )
}
