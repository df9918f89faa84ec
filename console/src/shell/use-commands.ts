import { useMantineColorScheme } from '@mantine/core'
import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs'
import IconBook2 from '@tabler/icons-react/dist/esm/icons/IconBook2.mjs'
import IconClipboardCopy from '@tabler/icons-react/dist/esm/icons/IconClipboardCopy.mjs'
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs'
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs'
import IconLayoutSidebar from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebar.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTerminal2 from '@tabler/icons-react/dist/esm/icons/IconTerminal2.mjs'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useApi } from '../api/api-context.ts'
import type { PlainRequest } from '../api/plain-request.ts'
import { useMay } from '../api/use-may.ts'
import { writeCurl } from '../api/write-curl.ts'
import { copyText } from '../parts/use-copy.ts'
import { colorSchemes } from './color-schemes.ts'
import { notify } from './notify.ts'
import { apiReferencePath, type PageEntry, pages } from './pages.ts'
import { useMayOpen } from './use-may-open.ts'

/** A command that is available on every page: listed in the palette, and in the shortcut help when it has keys. */
export interface Command {
  readonly id: string
  readonly title: string
  readonly about?: string
  readonly group: 'Pages' | 'Actions'
  readonly icon: PageEntry['icon']
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
        ({ path, title, about, icon, key }): Command => ({
          id: `page ${path}`,
          title,
          about,
          group: 'Pages',
          icon,
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
          icon: IconPlus,
          run: () => void navigate({ to: path, search: { create: true } }),
        }),
      )
    const schemeCommands = colorSchemes.map(
      ({ value, title, icon }): Command => ({
        id: `colour scheme ${value}`,
        title: `Colour scheme: ${title}`,
        group: 'Actions',
        icon,
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
        icon: IconBook2,
        keys: 'g y',
        run: () => window.location.assign(apiReferencePath),
      },
      ...(mayRun
        ? [
            {
              id: 'live',
              title: 'Live events',
              about: 'Events of workflows in real time',
              group: 'Pages' as const,
              icon: IconActivity,
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
              icon: IconPlus,
              run: () => void navigate({ to: '/workflows/new' }),
            },
          ]
        : []),
      ...creationCommands,
      ...schemeCommands,
      {
        id: 'navigation',
        title: 'Collapse or expand the navigation',
        group: 'Actions',
        icon: IconLayoutSidebar,
        keys: '[',
        run: toggleNavigation,
      },
      {
        id: 'copy request id',
        title: 'Copy the last request ID',
        about: 'To find the request in the server log',
        group: 'Actions',
        icon: IconClipboardCopy,
        run: () => void copyRequestId(api.lastRequestId()),
      },
      {
        id: 'copy last change',
        title: 'Copy the last change as curl',
        about: 'Your last change as a shell command',
        group: 'Actions',
        icon: IconTerminal2,
        run: () => void copyLastChange(api.lastWrite()),
      },
      {
        id: 'tour',
        title: 'Take the tour',
        about: 'A three-minute tour of the console',
        group: 'Actions',
        icon: IconFlag,
        run: takeTour,
      },
      {
        id: 'shortcuts',
        title: 'Keyboard shortcuts',
        group: 'Actions',
        icon: IconKeyboard,
        keys: '?',
        run: openHelp,
      },
      {
        id: 'sign out',
        title: 'Sign out',
        group: 'Actions',
        icon: IconLogout,
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
