import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core'

const cobalt: MantineColorsTuple = [
  '#eef1fe',
  '#dfe5fd',
  '#c1ccfb',
  '#a3b3f9',
  '#8a9ef5',
  '#6a82ea',
  '#4d67dc',
  '#3b55c8',
  '#3047ae',
  '#26398a',
]

/** The greys of the dark scheme, from text to background, in the order Mantine expects. */
const dark: MantineColorsTuple = [
  '#e6e8ec',
  '#c3c8d1',
  '#a7adb9',
  '#8d94a1',
  '#3a3f49',
  '#262a31',
  '#181b20',
  '#15181c',
  '#121418',
  '#0f1114',
]

/** The overlay separates the layers, and the content below stays readable. */
const scrim = { color: '#0b0d12', backgroundOpacity: 0.32, blur: 0 }

/** Mantine with the sizes and the accent colour of the console. */
export const theme = createTheme({
  primaryColor: 'cobalt',
  primaryShade: { light: 7, dark: 6 },
  colors: { cobalt, dark },
  autoContrast: true,
  respectReducedMotion: true,
  cursorType: 'pointer',
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  fontWeights: { regular: '400', medium: '600', bold: '600' },
  fontFamilyMonospace: 'var(--mono)',
  components: {
    ActionIcon: {
      defaultProps: { variant: 'subtle', color: 'gray' },
      vars: () => ({
        root: {
          '--ai-color': 'var(--text-soft)',
          '--ai-hover': 'var(--hover)',
          '--ai-hover-color': 'var(--text)',
        },
      }),
    },
    ModalOverlay: { defaultProps: scrim },
    DrawerOverlay: { defaultProps: scrim },
    Modal: { defaultProps: { overlayProps: scrim, shadow: 'none' } },
    Drawer: { defaultProps: { shadow: 'none' } },
    Menu: { defaultProps: { shadow: 'none' } },
    Notification: {
      defaultProps: { withBorder: true, closeButtonProps: { 'aria-label': 'Dismiss' } },
      styles: { root: { boxShadow: 'none' }, description: { color: 'var(--text-soft)' } },
    },
    Spotlight: { defaultProps: { overlayProps: scrim, shadow: 'none' } },
  },
})

const ours = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-soft)',
  '--mantine-color-placeholder': 'var(--text-faint)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-anchor': 'var(--accent)',
}

/** Maps Mantine's colour variables to the design tokens, so that both have one source. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: ours, dark: ours })

/** index.html reads the same key before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'tutti-color-scheme' })
