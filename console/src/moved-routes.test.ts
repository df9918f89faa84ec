import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { createApi } from './api/api.ts'
import { createConsoleRouter } from './router.tsx'

const ignore = () => undefined
const api = createApi({ origin: 'http://127.0.0.1', leaveFor: ignore, onReach: ignore })

/** Where the router redirects an address to. Without a window it does not follow the redirect, and so loads no page. */
async function redirectOf(path: string): Promise<string | null> {
  const router = createConsoleRouter({ api, queryClient: new QueryClient() })
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [path] }) })
  await router.load()
  const { _serverResult: result } = router
  return result?.type === 'redirect' ? result.redirect.headers.get('location') : null
}

test.each([
  ['/flows?which=built_in', '/workflows?which=built_in'],
  ['/flows/text_insights?tab=steps', '/workflows/text_insights?tab=steps'],
  ['/new-flow?view=list', '/workflows/new?view=list'],
  ['/flows/text_insights/edit?view=list', '/workflows/text_insights/edit?view=list'],
  ['/live?kind=workflow_failed', '/executions?view=live&kind=workflow_failed'],
  ['/workflows?tab=advice&asked=true&language=de', '/agents/recommend?asked=true&language=de'],
  ['/workflows?run=text_insights', '/workflows/text_insights?run=true'],
])('the former address %s leads to %s', async (before, after) => {
  expect(await redirectOf(before)).toBe(after)
})
