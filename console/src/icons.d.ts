// Icons are imported one file at a time: the package's index lists six thousand icons.
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  import type { ComponentType, SVGProps } from 'react'

  type IconProps = Omit<SVGProps<SVGSVGElement>, 'stroke'> & { size?: number; stroke?: number }
  const Icon: ComponentType<IconProps>
  export default Icon
}
