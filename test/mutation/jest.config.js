import jest from '../../jest.config.js';

const [unit] = jest.projects;

/**
 * The unit specs, without one that starts a built program. Packages import each other from the original folder, so only the
 * specs of its own package see a change.
 */
export default {
  ...unit,
  rootDir: '../..',
  testPathIgnorePatterns: [...unit.testPathIgnorePatterns, '/read-or-create-pepper'],
};
