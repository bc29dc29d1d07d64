import { failureSuite } from '../../../support/providers/failure-suite.ts'
import { samsara } from '../../../support/providers/samsara-subject.ts'

failureSuite(samsara)
