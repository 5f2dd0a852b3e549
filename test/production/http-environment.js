import MemoryEnvironment from '../servers/memory-environment.js';

/** Skips all tests if MongoDB or Kafka is missing. The run still counts them. */
export default class ProductionEnvironment extends MemoryEnvironment {
  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name === 'run_start' && process.env.REQUIRE_SERVERS !== '1' && !hasServers()) skip(rootDescribeBlock);
  }
}

function hasServers() {
  const servers = JSON.parse(process.env.TEST_SERVERS ?? '{}');
  return ['mongodb', 'kafka'].every((need) => servers[need]?.url !== undefined);
}

function skip(block) {
  block.mode = 'skip';
  for (const child of block.children) {
    if (child.type === 'describeBlock') skip(child);
    else child.mode = 'skip';
  }
}
