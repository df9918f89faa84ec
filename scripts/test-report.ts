/** `npm run test:report`: the times of the last test run, and the files above the budget of their project. */
import { describeReport, readReport } from './test/report.ts'

for (const line of describeReport(await readReport())) console.log(line)
