import { failureSuite } from '../../../support/providers/failures/failure-suite.ts'
import { samsara } from '../../../support/providers/subjects/samsara-subject.ts'

failureSuite(samsara)
