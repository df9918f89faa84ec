import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files in their usual order, but units last: they are short, so that all workers are busy until the end. */
export class UnitsLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root
    const isUnit = ({ moduleId }: TestSpecification) => !/^\/(?:test|tdd)\//.test(moduleId.slice(root.length))
    const { units = [], others = [] } = Object.groupBy(files, (file) => (isUnit(file) ? 'units' : 'others'))
    return [...(await super.sort(others)), ...(await super.sort(units))]
  }
}
