// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";

/// @title Which EVM address acts for a DID.
/// @notice A DID is named by its hash, keccak256 of the 32 bytes of its public key: every spelling of it has the same.
contract IdentityRegistry is AccessControl {
    bytes32 public constant REGISTRAR_ROLE = keccak256("REGISTRAR_ROLE");

    struct Registration {
        address controller;
        bool known;
    }

    mapping(bytes32 didHash => Registration) private _registrations;

    /// @param controller the zero address: revoked
    event ControllerChanged(bytes32 indexed didHash, address indexed controller, address indexed previous);

    error ZeroController(bytes32 didHash);
    error NotRegistered(bytes32 didHash);
    error NotController(bytes32 didHash, address caller);
    error UnequalLengths(uint256 didHashes, uint256 controllers);

    constructor(address admin) {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }

    function register(bytes32 didHash, address controller) external onlyRole(REGISTRAR_ROLE) {
        _register(didHash, controller);
    }

    function registerMany(
        bytes32[] calldata didHashes,
        address[] calldata controllers
    ) external onlyRole(REGISTRAR_ROLE) {
        require(didHashes.length == controllers.length, UnequalLengths(didHashes.length, controllers.length));
        for (uint256 i = 0; i < didHashes.length; i++) _register(didHashes[i], controllers[i]);
    }

    /// @notice The DID has no controller from now on, until the registrar names another.
    function revoke(bytes32 didHash) external onlyRole(REGISTRAR_ROLE) {
        require(_registrations[didHash].known, NotRegistered(didHash));
        _set(didHash, address(0));
    }

    /// @notice A controller names its successor.
    function handOver(bytes32 didHash, address controller) external {
        require(_registrations[didHash].controller == msg.sender, NotController(didHash, msg.sender));
        _register(didHash, controller);
    }

    /// @return the zero address where the DID was never registered, or revoked: see `isRegistered`
    function controllerOf(bytes32 didHash) external view returns (address) {
        return _registrations[didHash].controller;
    }

    /// @return whether it ever was, revoked or not
    function isRegistered(bytes32 didHash) external view returns (bool) {
        return _registrations[didHash].known;
    }

    function _register(bytes32 didHash, address controller) private {
        require(controller != address(0), ZeroController(didHash));
        _set(didHash, controller);
    }

    function _set(bytes32 didHash, address controller) private {
        address previous = _registrations[didHash].controller;
        _registrations[didHash] = Registration(controller, true);
        emit ControllerChanged(didHash, controller, previous);
    }
}
