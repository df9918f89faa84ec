import { useQuery } from '@tanstack/react-query'
import { useApi } from './api-context.ts'
import { profileQuery } from './queries.ts'

/** Whether the account has a permission; false until the account is loaded, so that no button flashes. */
export function useMay(permission: string): boolean {
  return useQuery(profileQuery(useApi())).data?.permissions.includes(permission) === true
}
