import jest from '../../jest.config.js';

const [unit] = jest.projects;

/**
 * The unit specs, without those of adapters, which are slow, and of built programs. Packages import each other from the
 * original folder, so only the specs of its own package see a change.
 */
export default {
  ...unit,
  rootDir: '../..',
  testPathIgnorePatterns: [...unit.testPathIgnorePatterns, '/sqlite/', '/read-or-create-pepper'],
};
