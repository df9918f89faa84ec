import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'

/** The choices of colour scheme, in the order people expect them. */
export const colorSchemes = [
  { value: 'light', title: 'Light', icon: IconSun },
  { value: 'dark', title: 'Dark', icon: IconMoon },
  { value: 'auto', title: 'System', icon: IconDeviceDesktop },
] as const
