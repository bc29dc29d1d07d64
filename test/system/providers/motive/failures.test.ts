import { failureSuite } from '../../../support/providers/failure-suite.ts'
import { motive } from '../../../support/providers/motive-subject.ts'

failureSuite(motive)
