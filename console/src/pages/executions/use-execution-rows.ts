import { type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useLastFailure } from '../../api/use-api-query.ts'
import type { EndOfListProps } from './EndOfList.tsx'
import { type ExecutionEntry, executionRowsQuery } from './execution-queries.ts'
import type { ExecutionSearch } from './execution-search.ts'
import { useExecutionNews } from './use-execution-news.ts'

/** Lists of more pages are not refetched for each event: one request per page would exceed the rate limit. */
const maxLivePages = 2

/** A list that is scrolled further down keeps its rows in place. */
const maxLiveScroll = 240

/** The matching executions as far as they are loaded, updated live. `also` are queries that change with them. */
export function useExecutionRows(search: ExecutionSearch, also?: readonly QueryKey[]) {
  const cache = useQueryClient()
  const query = executionRowsQuery(useApi(), search)
  const list = useInfiniteQuery(query)
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const searchKey = JSON.stringify(search)
  // News are of one search: another one reads its rows anew.
  const [newsOf, setNewsOf] = useState<string>()
  const executions = data === undefined ? undefined : distinct(data.pages.flatMap((page) => page.executions))

  const readAgain = () => cache.invalidateQueries({ queryKey: ['executions', 'rows'] })
  const streamState = useExecutionNews(also, () => {
    if (window.scrollY > maxLiveScroll || (data?.pages.length ?? 0) > maxLivePages) setNewsOf(searchKey)
    else void readAgain()
  })
  async function showNews(): Promise<void> {
    setNewsOf(undefined)
    window.scrollTo({ top: 0 })
    await cache.resetQueries({ queryKey: query.queryKey })
  }
  const end: EndOfListProps = {
    shown: executions?.length,
    sortedAmong: data?.pages[0]?.sorted_among ?? null,
    isLoading: isFetchingNextPage,
    hasFailed: isFetchNextPageError,
    onMore: hasNextPage ? () => void fetchNextPage() : undefined,
  }
  return {
    executions,
    failure: useLastFailure(list),
    refetch: () => void list.refetch(),
    readAgain,
    streamState,
    /** Shows executions that came since the list was read; undefined without any. */
    onShowNews: newsOf === searchKey ? () => void showNews() : undefined,
    end,
  }
}

/** A page of another order may repeat an execution whose place has changed. */
function distinct(executions: readonly ExecutionEntry[]): readonly ExecutionEntry[] {
  return [...new Map(executions.map((entry) => [entry.execution_id, entry])).values()]
}
