import './theme/base.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createApi } from './api/api.ts'
import { ApiProvider } from './api/api-context.ts'
import { createQueryClient } from './api/queries.ts'
import { createConsoleRouter } from './router.tsx'
import { openBrowserConnection } from './shell/loading/browser-connection.ts'
import { ConnectionProvider } from './shell/loading/connection.ts'
import { colorSchemeManager, cssVariablesResolver, theme } from './theme/theme.ts'
import { ClockProvider, createClock } from './time/clock.ts'
import { createTrustedTypesPolicy } from './trusted-types.ts'

createTrustedTypesPolicy()
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
setNonce(nonce)

const queryClient = createQueryClient()
const connection = openBrowserConnection(() => void queryClient.invalidateQueries())
const api = createApi({
  origin: window.location.origin,
  leaveFor: (address) => window.location.assign(address),
  onReach: connection.report,
})
const router = createConsoleRouter({ api, queryClient })

// A page restored from the browser's back/forward cache may show data from before a sign-out.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void queryClient.invalidateQueries()
})

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      cssVariablesResolver={cssVariablesResolver}
      getStyleNonce={() => nonce}
    >
      <ApiProvider value={api}>
        <QueryClientProvider client={queryClient}>
          <ClockProvider value={createClock()}>
            <ConnectionProvider value={connection}>
              <RouterProvider router={router} />
            </ConnectionProvider>
          </ClockProvider>
        </QueryClientProvider>
      </ApiProvider>
    </MantineProvider>
  </StrictMode>,
)
