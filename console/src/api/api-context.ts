import { createContext, use } from 'react'
import type { Api } from './api.ts'

const ApiContext = createContext<Api | undefined>(undefined)

export const ApiProvider = ApiContext.Provider

/** The API connection of the running console. */
export function useApi(): Api {
  const api = use(ApiContext)
  if (api === undefined) throw new Error('useApi needs an ApiProvider above it')
  return api
}
