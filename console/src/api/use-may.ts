import { useQuery } from '@tanstack/react-query'
import { useApi } from './api-context.ts'
import { profileQuery } from './queries.ts'

/** Whether the account has a permission; false while nobody knows, so that no button appears and goes. */
export function useMay(permission: string): boolean {
  return useQuery(profileQuery(useApi())).data?.permissions.includes(permission) === true
}
