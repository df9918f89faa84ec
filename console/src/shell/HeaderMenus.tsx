import '../theme/mantine-floating.css'
import { Menu, useMantineColorScheme } from '@mantine/core'
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { useNavigate } from '@tanstack/react-router'
import { AccountButton } from './AccountButton.tsx'
import { ColorSchemeButton } from './ColorSchemeButton.tsx'
import { colorSchemes } from './color-schemes.ts'
import styles from './HeaderMenus.module.css'

const shared = {
  position: 'bottom-end',
  offset: 8,
  classNames: styles,
  // Inside the header the menus belong to its landmark, and are next in the Tab order.
  withinPortal: false,
  withInitialFocusPlaceholder: false,
} as const

interface HeaderMenusProps {
  /** The menu the user opened before this code was loaded. */
  readonly wanted: 'colour scheme' | 'account' | undefined
  readonly onTour: () => void
  readonly onSignOut: () => void
}

/**
 * The two menus of the header. They are loaded after the first paint, because the code that positions floating elements is
 * large.
 */
export default function HeaderMenus({ wanted, onTour, onSignOut }: HeaderMenusProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const navigate = useNavigate()
  return (
    <>
      <Menu {...shared} width={176} defaultOpened={wanted === 'colour scheme'}>
        <Menu.Target>
          <ColorSchemeButton />
        </Menu.Target>
        <Menu.Dropdown aria-label="Colour scheme">
          <Menu.RadioGroup
            value={colorScheme}
            onChange={(value) => setColorScheme(value as typeof colorScheme)}
          >
            {colorSchemes.map(({ value, title, icon: Icon }) => (
              <Menu.RadioItem
                key={value}
                value={value}
                closeMenuOnClick
                rightSection={<Icon size={16} stroke={1.75} aria-hidden />}
              >
                {title}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
      <Menu {...shared} width={208} defaultOpened={wanted === 'account'}>
        <Menu.Target>
          <AccountButton />
        </Menu.Target>
        <Menu.Dropdown aria-label="Account">
          <Menu.Item
            leftSection={<IconUser size={16} stroke={1.75} aria-hidden />}
            onClick={() => void navigate({ to: '/profile' })}
          >
            Profile
          </Menu.Item>
          <Menu.Item leftSection={<IconFlag size={16} stroke={1.75} aria-hidden />} onClick={onTour}>
            Take the tour
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} stroke={1.75} aria-hidden />} onClick={onSignOut}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
