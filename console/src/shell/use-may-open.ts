import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useApi } from '../api/api-context.ts'
import { profileQuery } from '../api/queries.ts'
import type { PageEntry } from './pages.ts'

/** Whether the account may open a page; undefined until the account is loaded. */
export function useMayOpen(): (page: Pick<PageEntry, 'permission'>) => boolean | undefined {
  const permissions = useQuery(profileQuery(useApi())).data?.permissions
  return useCallback(
    ({ permission }) =>
      permission === null || permissions?.some((held) => [permission].flat().some((name) => name === held)),
    [permissions],
  )
}
