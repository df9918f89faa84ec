import { useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useApi } from '../api/api-context.ts'
import type { PlainRequest } from '../api/plain-request.ts'
import { useMay } from '../api/use-may.ts'
import { writeCurl } from '../api/write-curl.ts'
import { copyText } from '../parts/use-copy.ts'
import { colorSchemes } from './color-schemes.ts'
import { notify } from './notify.ts'
import { apiReferencePath, pages } from './pages.ts'
import { useMayOpen } from './use-may-open.ts'

/** A command that is available on every page: listed in the palette, and in the shortcut help when it has keys. */
export interface Command {
  readonly id: string
  readonly title: string
  readonly about?: string
  readonly group: 'Pages' | 'Actions'
  readonly keys?: string
  readonly run: () => void
}

interface CommandOptions {
  readonly openHelp: () => void
  readonly toggleNavigation: () => void
  readonly takeTour: () => void
}

/** The commands that create an item, each on the page that lists it. */
const creations = [
  { path: '/cluster', title: 'Add model node' },
  { path: '/api-keys', title: 'Create API key' },
  { path: '/oauth-clients', title: 'Register OAuth client' },
  { path: '/users', title: 'Add user' },
  { path: '/roles', title: 'Create role' },
] as const

/** All commands of the palette. */
export function useCommands({ openHelp, toggleNavigation, takeTour }: CommandOptions): readonly Command[] {
  const navigate = useNavigate()
  const api = useApi()
  const mayOpen = useMayOpen()
  const mayMakeFlows = useMay('manage workflows')
  const mayRun = useMay('run workflows')
  const { setColorScheme } = useMantineColorScheme()

  return useMemo(() => {
    const pageCommands = pages
      .filter((page) => mayOpen(page) === true)
      .map(
        ({ path, title, about, key }): Command => ({
          id: `page ${path}`,
          title,
          about,
          group: 'Pages',
          keys: `g ${key}`,
          run: () => void navigate({ to: path }),
        }),
      )
    const creationCommands = creations
      .filter(({ path }) => pageCommands.some(({ id }) => id === `page ${path}`))
      .map(
        ({ path, title }): Command => ({
          id: `create ${path}`,
          title,
          group: 'Actions',
          run: () => void navigate({ to: path, search: { create: true } }),
        }),
      )
    const schemeCommands = colorSchemes.map(
      ({ value, title }): Command => ({
        id: `colour scheme ${value}`,
        title: `Colour scheme: ${title}`,
        group: 'Actions',
        run: () => setColorScheme(value),
      }),
    )
    return [
      ...pageCommands,
      {
        id: 'api reference',
        title: 'API reference',
        about: 'All HTTP routes',
        group: 'Pages',
        run: () => window.location.assign(apiReferencePath),
      },
      ...(mayRun
        ? [
            {
              id: 'live',
              title: 'Live events',
              about: 'Events of workflows in real time',
              group: 'Pages' as const,
              keys: 'g l',
              run: () => void navigate({ to: '/executions', search: { view: 'live' } }),
            },
          ]
        : []),
      ...(mayMakeFlows
        ? [
            {
              id: 'create workflow',
              title: 'New workflow',
              about: 'Canvas, list or code editor',
              group: 'Actions' as const,
              run: () => void navigate({ to: '/workflows/new' }),
            },
            {
              id: 'create agent',
              title: 'New agent',
              about: 'Prompt, output and checks',
              group: 'Actions' as const,
              run: () => void navigate({ to: '/agents/new' }),
            },
          ]
        : []),
      ...creationCommands,
      ...schemeCommands,
      {
        id: 'navigation',
        title: 'Collapse or expand the navigation',
        group: 'Actions',
        keys: '[',
        run: toggleNavigation,
      },
      {
        id: 'copy request id',
        title: 'Copy the last request ID',
        about: 'To find the request in the server log',
        group: 'Actions',
        run: () => void copyRequestId(api.lastRequestId()),
      },
      {
        id: 'copy last change',
        title: 'Copy the last change as curl',
        about: 'Your last change as a shell command',
        group: 'Actions',
        run: () => void copyLastChange(api.lastWrite()),
      },
      {
        id: 'tour',
        title: 'Take the tour',
        about: 'A three-minute tour of the console',
        group: 'Actions',
        run: takeTour,
      },
      {
        id: 'shortcuts',
        title: 'Keyboard shortcuts',
        group: 'Actions',
        keys: '?',
        run: openHelp,
      },
      {
        id: 'sign out',
        title: 'Sign out',
        group: 'Actions',
        run: () =>
          void api.signOut().catch((error: unknown) => notify({ title: 'You are still signed in', error })),
      },
    ]
  }, [api, mayMakeFlows, mayOpen, mayRun, navigate, openHelp, setColorScheme, takeTour, toggleNavigation])
}

async function copyRequestId(requestId: string | undefined): Promise<void> {
  const copied = requestId !== undefined && (await copyText(requestId))
  await notify({
    title: copied ? 'Request ID copied' : 'No request ID was copied',
    message: requestId ?? 'No request was made yet.',
  })
}

async function copyLastChange(request: PlainRequest | undefined): Promise<void> {
  const copied = request !== undefined && (await copyText(writeCurl(request)))
  await notify({
    title: copied ? 'The last change is copied' : 'Nothing was copied',
    message:
      request === undefined
        ? 'No changes since this page was opened.'
        : `${request.method} ${new URL(request.url).pathname}`,
  })
}
