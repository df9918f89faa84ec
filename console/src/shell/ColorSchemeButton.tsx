import { ActionIcon, type ActionIconProps, type ElementProps, useMantineColorScheme } from '@mantine/core'
import { colorSchemes } from './color-schemes.ts'

/** The button of the colour scheme menu, with the icon of the current scheme. */
export function ColorSchemeButton(props: ActionIconProps & ElementProps<'button', keyof ActionIconProps>) {
  const { colorScheme } = useMantineColorScheme()
  const current = colorSchemes.find(({ value }) => value === colorScheme) ?? colorSchemes[2]
  const Icon = current.icon
  const label = `Colour scheme: ${current.title}`
  return (
    <ActionIcon size={32} aria-label={label} title={label} aria-haspopup="menu" {...props}>
      <Icon size={18} stroke={1.75} aria-hidden />
    </ActionIcon>
  )
}
