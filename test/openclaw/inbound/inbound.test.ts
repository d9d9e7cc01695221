import { usePostgres } from '@holdword/store/testing/postgres';
import { describe } from 'vitest';
import { VERSIONS } from '../../support/drivers/driver.ts';
import { useTokenIssuer } from '../../support/token-issuer.ts';
import { accountsOfTheTests } from './accounts.ts';
import { describeAccount } from './describe-account.ts';
import { describeConfiguration } from './describe-configuration.ts';
import { describeExample } from './describe-example.ts';
import { describeFeatures } from './describe-features.ts';
import { describeIsolation } from './describe-isolation.ts';
import { describeOperations } from './describe-operations.ts';
import { describeOutbound } from './describe-outbound.ts';
import { describePrivacy } from './describe-privacy.ts';
import { describeRestart } from './describe-restart.ts';
import { describeTokens } from './describe-tokens.ts';
import { describeTurns } from './describe-turns.ts';
import { inboundStage } from './inbound-stage.ts';
import { AGENTS, BINDINGS } from './peers.ts';

describe('OpenClaw with the inbound plugin', () => {
  const postgres = usePostgres();
  const issuer = useTokenIssuer();
  const stage = inboundStage({
    accounts: (places) => accountsOfTheTests(places, { postgres: postgres(), issuer: issuer() }),
    configuration: { agents: AGENTS, bindings: BINDINGS },
  });

  for (const version of VERSIONS) {
    describeOperations(stage, version);
    describeTurns(stage, version);
    describeIsolation(stage, version);
  }
  describePrivacy(stage);
  describeExample(stage);
  describeAccount(stage, { account: 'database', version: '1.0' });
  describeFeatures(stage);
  describeTokens(stage, issuer);
  describeOutbound(stage);
  describeConfiguration(stage);
  describeRestart(stage);
});
