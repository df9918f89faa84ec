import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconTimelineEvent from '@tabler/icons-react/dist/esm/icons/IconTimelineEvent.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'

/** Every page of the console. `key` is what follows `g` on the keyboard; `menu` is where the page is listed. */
export const pages = [
  {
    path: '/',
    title: 'Overview',
    about: 'What runs, and how it is doing',
    icon: IconLayoutDashboard,
    key: 'o',
    menu: 'navigation',
  },
  {
    path: '/events',
    title: 'Events',
    about: 'The log of everything that happened',
    icon: IconTimelineEvent,
    key: 'e',
    menu: 'navigation',
  },
  {
    path: '/profile',
    title: 'Profile',
    about: 'Your account, roles and permissions',
    icon: IconUser,
    key: 'p',
    menu: 'account',
  },
] as const

export const apiReferencePath = '/docs'
